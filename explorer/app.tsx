import { useMemo, useState } from 'preact/hooks';
import type { Library } from './model/data.ts';
import { Watch } from './view/watch.tsx';

export function App({ library }: { library: Library }) {
  const [name, setName] = useState(library.data.first);
  const opened = useMemo(() => library.open(name), [library, name]);
  return (
    <>
      <header class="top">
        <h1>
          <span class="brand">leader-epoch</span>
        </h1>
        <label class="chooser">
          <span class="quiet">Counterexample</span>
          <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
            {library.names.map((one) => (
              <option key={one} value={one}>
                {library.titleOf(one)}
              </option>
            ))}
          </select>
        </label>
      </header>
      <main>{opened === null ? <p>There is no trace.</p> : <Watch key={name} opened={opened} />}</main>
    </>
  );
}
