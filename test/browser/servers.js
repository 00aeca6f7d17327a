import path from 'node:path'
import { fileURLToPath } from 'node:url'

const firstPort = Number(process.env['BROWSER_PORT'] ?? 4879)

/** One server for each worker of Playwright. Two runs on one machine need a BROWSER_PORT each. */
export const ports = [firstPort, firstPort + 1]

const folder = fileURLToPath(new URL('../../test-results/sessions', import.meta.url))

/**
 * The storage state of a browser that is signed in as the demo's user of a role, on every server.
 * @param {string} role
 */
export const sessionFile = (role) => path.join(folder, `${role}.json`)
