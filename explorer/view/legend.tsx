import type { Opened } from '../model/opened.ts';

/** What the signs of the scene mean, for whoever sees it for the first time. */
export function Legend({ opened }: { opened: Opened }) {
  if (opened.config === null) return null;
  return (
    <dl class="legend">
      <div>
        <dt>
          <span class="sign cell">
            m1<small>e1</small>
          </span>
        </dt>
        <dd>a record, and the leader epoch in which it was written</dd>
      </div>
      <div>
        <dt>
          <span class="sign tick">✓</span>
        </dt>
        <dd>its producer was told that it is stored</dd>
      </div>
      <div>
        <dt>
          <span class="sign hw">HW</span>
        </dt>
        <dd>high watermark: what is left of it is committed, and consumers may read it</dd>
      </div>
      <div>
        <dt>
          <span class="sign">LEO</span>
        </dt>
        <dd>log end offset: where the next record goes</dd>
      </div>
      <div>
        <dt>
          <span class="sign">ISR</span>
        </dt>
        <dd>the replicas in sync: one of them may be elected leader</dd>
      </div>
    </dl>
  );
}
