import { render } from 'preact';
import { App } from './app.tsx';
import { Library, unpack } from './model/data.ts';
import './style/index.css';

const packed = document.getElementById('data')?.textContent ?? '';
const root = document.getElementById('app');

if (root !== null) {
  const library = new Library(await unpack(packed));
  root.replaceChildren();
  render(<App library={library} />, root);
  document.documentElement.dataset.ready = 'yes';
}
