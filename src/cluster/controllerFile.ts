/** What must outlive the controller of a cluster on this machine: a file in the cluster's folder. */
import { z } from 'zod';
import { type Files, replaceFile } from '../disk/index.ts';
import { NO_ONE, type ReplicaId } from '../replica/index.ts';
import type { ControllerState } from './controller.ts';

/** A folder that is not this cluster's, or that nobody can go on from; the message says what to do. */
export class ClusterFolderError extends Error {
  override readonly name = 'ClusterFolderError';
}

const number = z.int().min(0);
const saved = z.strictObject({
  topic: z.string(),
  news: z.strictObject({ epoch: number, leader: z.string(), isr: z.array(z.string()) }),
  incarnations: z.record(z.string(), number),
});

export class ControllerFile {
  readonly #files: Files;
  readonly #folder: string;
  readonly #topic: string;

  /** Makes the folder, if it is not there. */
  constructor(files: Files, folder: string, topic: string) {
    try {
      files.makeFolder(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ClusterFolderError(`${folder} cannot be made (${code}). Take another folder with --folder.`);
    }
    this.#files = files;
    this.#folder = folder;
    this.#topic = topic;
  }

  get #path(): string {
    return `${this.#folder}/controller.json`;
  }

  /** Null in a folder that has never had a cluster. */
  read(replicas: readonly ReplicaId[]): ControllerState | null {
    const bytes = this.#files.read(this.#path);
    if (bytes === null) {
      const used = replicas.find((id) => this.#files.list(`${this.#folder}/${id}`).length > 0);
      if (used === undefined) return null;
      throw this.#useless(`is missing, and there are files of broker ${used}`);
    }
    const { incarnations, news, topic } = this.#parse(Buffer.from(bytes).toString());
    const [own, those] = [replicas.join(', '), Object.keys(incarnations).join(', ')];
    const remedy = own === those ? `--topic ${topic}` : `--brokers ${Object.keys(incarnations).length}`;
    if (own !== those || topic !== this.#topic) {
      throw new ClusterFolderError(
        `${this.#folder} is of a cluster with brokers ${those} and the topic "${topic}": start it with ${remedy}, or take another folder.`,
      );
    }
    const stranger = [news.leader, ...news.isr].find((id) => id !== NO_ONE && !replicas.includes(id));
    if (stranger !== undefined) throw this.#useless(`is not what was written: there is no broker ${stranger}`);
    return { incarnations, news };
  }

  write({ incarnations, news }: ControllerState): void {
    const state: z.infer<typeof saved> = { topic: this.#topic, news: { ...news, isr: [...news.isr] }, incarnations };
    replaceFile(this.#files, this.#path, JSON.stringify(state));
  }

  #parse(text: string): z.infer<typeof saved> {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (error) {
      throw this.#useless(`is no JSON (${(error as Error).message})`);
    }
    const result = saved.safeParse(json);
    if (result.success) return result.data;
    const { message, path } = result.error.issues[0]!;
    throw this.#useless(`is not what was written: at $${path.map((step) => `.${String(step)}`).join('')}: ${message}`);
  }

  #useless(what: string): ClusterFolderError {
    const remedy = 'Without it nobody knows who led. Take another folder with --folder.';
    return new ClusterFolderError(`${this.#path} ${what}. ${remedy}`);
  }
}
