import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** One server for each worker of Playwright. */
export const ports = [4879, 4880]

const folder = fileURLToPath(new URL('../../test-results/sessions', import.meta.url))

/** The storage state of a browser that is signed in as the demo's user of a role, on every server. */
export const sessionFile = (role: string): string => path.join(folder, `${role}.json`)
