/** A vowel-like sound: glottal pulses through formants, in syllables. Voice detectors take it for speech; a tone they do not. 16 bit. */
export function voiceLike(seconds: number, sampleRate: number): Int16Array {
  const length = Math.round(seconds * sampleRate);
  const samples = new Float64Array(length);
  let phase = 0;
  for (let at = 0; at < length; at++) {
    const time = at / sampleRate;
    const pitch = 130 + 25 * Math.sin(2 * Math.PI * 0.9 * time) + 4 * Math.sin(2 * Math.PI * 5.3 * time);
    phase += pitch / sampleRate;
    if (phase >= 1) {
      phase -= 1;
      samples[at] = 1;
    }
    samples[at] = (samples[at] ?? 0) + (Math.random() - 0.5) * 0.01;
  }
  const vowels = [
    [730, 1090, 2440],
    [270, 2290, 3010],
    [570, 840, 2410],
    [530, 1840, 2480],
  ];
  const state = [0, 0, 0].map(() => [0, 0]);
  const out = new Int16Array(length);
  for (let at = 0; at < length; at++) {
    const time = at / sampleRate;
    const syllable = Math.floor(time * 4.5);
    const formants = vowels[syllable % vowels.length] ?? [];
    let sum = 0;
    for (const [index, centre] of formants.entries()) {
      const radius = Math.exp((-Math.PI * (80 + 40 * index)) / sampleRate);
      const [one = 0, two = 0] = state[index] ?? [];
      const value =
        (samples[at] ?? 0) + 2 * radius * Math.cos((2 * Math.PI * centre) / sampleRate) * one - radius * radius * two;
      state[index] = [value, one];
      sum += value / (index + 1);
    }
    const within = (time * 4.5) % 1;
    out[at] = Math.max(-32_000, Math.min(32_000, sum * 1_600 * Math.sin(Math.PI * within) ** 0.6));
  }
  return out;
}
