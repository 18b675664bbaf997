import picocolors from 'picocolors';

type Style = (text: string) => string;

export interface Palette {
  readonly bold: Style;
  readonly dim: Style;
  readonly bad: Style;
  readonly good: Style;
  readonly gone: Style;
  /** One for each leader epoch, in turns. */
  readonly epoch: (epoch: number) => Style;
}

/** Without colour no escape code comes out, whatever the environment says. */
export function paletteFor(colour: boolean): Palette {
  const colours = picocolors.createColors(colour);
  const epochs = [colours.cyan, colours.yellow, colours.magenta, colours.green, colours.blue];
  return {
    bold: colours.bold,
    dim: colours.dim,
    bad: (text) => colours.bold(colours.red(text)),
    good: (text) => colours.bold(colours.green(text)),
    gone: (text) => colours.red(colours.strikethrough(text)),
    epoch: (epoch) => epochs[(Math.max(1, epoch) - 1) % epochs.length]!,
  };
}
