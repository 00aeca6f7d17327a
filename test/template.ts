import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { bundleServer } from './bundle-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    template: string;
    /** The folder of the programs that tests start. */
    programs: string;
  }
}

let directory = '';

/** Makes empty stores once a run; every story begins with a copy of them: making them anew takes ten times as long. */
export async function setup({ provide }: TestProject): Promise<void> {
  directory = fs.mkdtempSync(path.join(tmpdir(), 'publicway-template-'));
  const app = await openApp(readConfig({ DATA_DIR: directory, DEMO: 'off' }), directory, () => undefined);
  await app.close();
  provide('template', directory);
  provide('programs', await bundleServer());
}

export function teardown(): void {
  fs.rmSync(directory, { recursive: true, force: true });
}
