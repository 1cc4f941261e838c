// Sound, vibration and notifications for what a player may miss who looks elsewhere.

const quietMs = 500; // what happens at the same time rings once

// Chrome on a phone shows notifications of service workers only. Without a permission, nothing is shown here.
function canNotify() {
  try {
    new Notification('').close();
    return true;
  } catch {
    return false;
  }
}

export class Alerts {
  #identity;
  #changed;
  #audio = null;
  #rangAt = -Infinity;
  #canNotify; // undefined: not known yet

  /// `changed()` is called when isOn or mayAsk has changed.
  constructor(identity, changed) {
    this.#identity = identity;
    this.#changed = changed;
    // A browser lets a page sound once somebody has used it.
    const wake = () => { this.#audio ??= globalThis.AudioContext && new AudioContext(); };
    for (const type of ['pointerup', 'keyup']) document.addEventListener(type, wake, { once: true });
  }

  get isOn() { return !this.#identity.isSilent; }

  toggle() {
    this.#identity.isSilent = this.isOn;
    this.#changed();
  }

  /// Whether the browser would ask if the page may notify, and would then show it.
  get mayAsk() {
    const isOpen = globalThis.isSecureContext && globalThis.Notification?.permission === 'default';
    return isOpen && (this.#canNotify ??= canNotify());
  }

  async ask() {
    await Notification.requestPermission();
    this.#changed();
  }

  /// Something has happened. `text` says what.
  ring(text) {
    const now = performance.now();
    if (this.isOn && now - this.#rangAt >= quietMs) {
      this.#rangAt = now;
      this.#sound();
      navigator.vibrate?.(200);
    }
    if (document.hidden) this.#notify(text);
  }

  #sound() {
    const audio = this.#audio;
    if (!audio) return;
    audio.resume();
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const end = audio.currentTime + 0.4;
    volume.gain.setValueAtTime(0.2, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    tone.frequency.value = 660;
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(end);
  }

  #notify(text) {
    if (globalThis.Notification?.permission !== 'granted') return;
    try {
      const shown = new Notification(text, { tag: 'tictactoe' });
      shown.onclick = () => { window.focus(); shown.close(); };
    } catch {
      // See canNotify().
    }
  }
}
