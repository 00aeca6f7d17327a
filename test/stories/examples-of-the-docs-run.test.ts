import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '#contract/api-keys.ts'
import { call, openTestApp, type TestApp } from '../app.ts'
import { addLayer, makeRegions } from '../city.ts'
import { zones } from '../city/shapes.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

let app: TestApp
let environment: Record<string, string>
beforeAll(async () => {
  app = await openTestApp()
  const { admin } = await makeRegions(app)
  await addLayer(app, admin, { region_id: 'alder', layer_name: 'Zones', shapes: zones })
  const { secret } = await call(app, admin, createApiKey, {
    body: { name: 'Examples', scopes: ['geographies:read'], region_ids: ['alder'] },
  })
  environment = {
    PUBLICWAY_URL: await app.http.listen({ port: 0, host: '127.0.0.1' }),
    PUBLICWAY_KEY: secret,
  }
})
afterAll(() => app.close())

function readExample(language: string): string {
  const text = fs.readFileSync(path.join(root, 'docs/api.md'), 'utf8')
  const found = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text)?.[1]
  if (!found) throw new Error(`docs/api.md has no example in ${language}`)
  return found
}

test.each([
  ['ts', 'example.mts', ['node', '--import', 'tsx']],
  ['python', 'example.py', ['python3']],
])(
  'the example in %s prints the layers of a region',
  async (language, name, [command = '', ...options]) => {
    const file = path.join(app.dataDir, name)
    fs.writeFileSync(file, readExample(language))
    const { stdout } = await run(command, [...options, file], {
      cwd: root,
      env: { ...process.env, ...environment },
    })
    expect(stdout.split('\n')).toContain('Zones')
  },
  60_000,
)
