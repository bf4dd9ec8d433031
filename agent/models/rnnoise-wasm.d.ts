/** What is used of RNNoise compiled to WebAssembly; the package brings no types. Addresses are bytes in its memory. */
declare module '@echogarden/rnnoise-wasm' {
  interface RnnoiseModule {
    readonly HEAPF32: Float32Array;
    _malloc(bytes: number): number;
    _free(address: number): void;
    _rnnoise_get_frame_size(): number;
    _rnnoise_create(model: number): number;
    _rnnoise_destroy(state: number): void;
    /** @returns how likely the frame is speech, 0 to 1 */
    _rnnoise_process_frame(state: number, output: number, input: number): number;
  }
  const load: () => Promise<RnnoiseModule>;
  export default load;
}
