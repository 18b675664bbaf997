/** ` Did you mean "kip320-clean"?`, or nothing where no name is near. */
export function didYouMean(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near.length === 0 ? '' : ` Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`;
}

/** Those that share most words with the name, two at most, if it is half of its words; a typing error is no other word. */
function nearest(name: string, names: readonly string[]): string[] {
  const words = wordsOf(name);
  const score = (other: string): number => {
    const own = wordsOf(other);
    return words.filter((word) => own.some((each) => isLike(word, each))).length;
  };
  const scores = names.map(score);
  const best = Math.max(...scores);
  if (best === 0 || best < words.length / 2) return [];
  return names.filter((_, index) => scores[index] === best).slice(0, 2);
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** The same but for one letter, or for two that have changed places, or one is the beginning of the other. */
function isLike(a: string, b: string): boolean {
  if (a === b || (Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a)))) return true;
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 4) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  const swapped = restA.length > 1 && restB === `${restA[1]}${restA[0]}${restA.slice(2)}`;
  return swapped || restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
}
