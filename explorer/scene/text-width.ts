/** A letter's width where nothing can be measured, as a share of its size. */
const ESTIMATE = 0.58;

const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;
let family = 'sans-serif';

/** How wide a text is in the page's own font, whichever of its fonts the machine has. */
export function textWidth(text: string, size: number, weight = 400): number {
  const key = `${weight} ${size} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  const width = measured(text, size, weight);
  widths.set(key, width);
  return width;
}

function measured(text: string, size: number, weight: number): number {
  if (context === undefined) {
    context = document.createElement('canvas').getContext('2d');
    family = getComputedStyle(document.documentElement).getPropertyValue('--sans').trim() || family;
  }
  if (context === null) return text.length * size * ESTIMATE;
  context.font = `${weight} ${size}px ${family}`;
  return Math.ceil(context.measureText(text).width);
}
