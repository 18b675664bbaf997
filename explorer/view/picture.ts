/** The scene as it stands on the page, as an SVG file that needs no style from outside. */
export function sceneSvg(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [, , width, height] = (copy.getAttribute('viewBox') ?? '0 0 0 0').split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = styleText();
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', width ?? '0');
  ground.setAttribute('height', height ?? '0');
  ground.setAttribute('style', 'fill: var(--ground)');
  copy.prepend(style, ground);
  return new XMLSerializer().serializeToString(copy);
}

/** The rules of the scene, and the colours of the theme as they are now. */
function styleText(): string {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map(({ cssText }) => cssText);
  const own = rules
    .filter((text) => /^(\.scene|svg\.scene)/.test(text))
    .map((text) => text.replace(/animation:[^;]+;/g, ''));
  const now = getComputedStyle(document.documentElement);
  const names = [...new Set(own.flatMap((text) => [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!)))];
  const colours = [...names, '--ground'].map((name) => `${name}: ${now.getPropertyValue(name).trim()}`);
  return `svg { ${colours.filter((one) => !one.endsWith(': ')).join('; ')} }\n${own.join('\n')}`;
}

/** The same as a PNG, sharp on dense screens too. */
export async function picturePng(svg: string, scale = 2): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * scale;
  canvas.height = image.naturalHeight * scale;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('This browser saves no PNG')) : resolve(blob)),
      'image/png',
    );
  });
}

/** Hands a file to whoever reads the page. */
export function save(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
