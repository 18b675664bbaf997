export { messageText } from './news.ts';
export { tell } from './tell.ts';
