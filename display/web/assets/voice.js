'use strict';

// A screen that is asked to speaks what it says in large letters, and sounds when the
// round is stopped. Both are off unless somebody turns them on in the menu.
(() => {
  const root = document.documentElement;
  let said = '';
  let stopped = false;
  let sound;

  function speak(what) {
    if (root.dataset.voice !== 'on' || !('speechSynthesis' in window)) {
      return;
    }
    const words = new SpeechSynthesisUtterance(what);
    words.lang = root.lang;
    speechSynthesis.cancel(); // what is not said yet is not true any more
    speechSynthesis.speak(words);
  }

  // alarm sounds twice, falling: unlike a till or a telephone.
  function alarm() {
    if (root.dataset.sound !== 'on') {
      return;
    }
    sound ??= new AudioContext();
    for (const [at, high] of [[0, 880], [0.25, 660]]) {
      const tone = new OscillatorNode(sound, { frequency: high });
      const loud = new GainNode(sound, { gain: 0.2 });
      tone.connect(loud).connect(sound.destination);
      tone.start(sound.currentTime + at);
      tone.stop(sound.currentTime + at + 0.2);
    }
  }

  document.addEventListener('table', () => {
    const prompt = document.getElementById('prompt');
    const words = prompt.querySelector('h1').textContent;
    const stop = prompt.classList.contains('stop');
    if (words !== said) {
      speak(words);
    }
    if (stop && !stopped) {
      alarm();
    }
    said = words;
    stopped = stop;
  });
})();
