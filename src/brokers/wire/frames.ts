/** Both protocols send frames: a length of four bytes, then so many bytes. */
export function framed(frame: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(frame.length);
  return Buffer.concat([length, frame]);
}

/** Takes chunks as they come, and calls `onFrame` with each whole frame. */
export function frameSplitter(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let kept: Buffer = Buffer.alloc(0);
  return (chunk) => {
    kept = Buffer.concat([kept, chunk]);
    while (kept.length >= 4) {
      const end = 4 + kept.readInt32BE(0);
      if (kept.length < end) return;
      // A copy: what is parked for long must not keep the whole chunk, nor be changed with it.
      const frame = Buffer.from(kept.subarray(4, end));
      kept = kept.subarray(end);
      onFrame(frame);
    }
  };
}
