import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const start = fileURLToPath(new URL('./start.js', import.meta.url))

test('npm start refuses arguments and names the settings that it reads instead', () => {
  const { status, stderr } = spawnSync(process.execPath, [start, '--port', '8080'], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toContain('takes no arguments (got: --port 8080)')
  expect(stderr).toContain('PORT, HOST, DATA_DIR')
})
