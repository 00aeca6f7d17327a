import { expect, test } from 'vitest'
import { Readiness } from './readiness.ts'

const works = () => Promise.resolve('works')

function openReadiness(overrides: Partial<ConstructorParameters<typeof Readiness>[0]> = {}) {
  const clock = { now: 0 }
  const readiness = new Readiness(
    { config: works, migrations: works, state: works, facts: works, jobs: works, ...overrides },
    () => clock.now,
    20,
  )
  return { readiness, clock }
}

test('The server is ready if all components are', async () => {
  const { status, components } = await openReadiness().readiness.read()
  expect(status).toBe('ready')
  expect(components.map(({ component, ok }) => [component, ok])).toEqual([
    ['config', true],
    ['migrations', true],
    ['state', true],
    ['facts', true],
    ['jobs', true],
  ])
})

test('The readiness check names components that fail or do not respond', async () => {
  const { readiness } = openReadiness({
    state: () => Promise.reject(new Error('connection refused')),
    facts: () => new Promise(() => undefined),
  })
  const { status, components } = await readiness.read()
  expect(status).toBe('not_ready')
  expect(components.filter(({ ok }) => !ok)).toEqual([
    { component: 'state', ok: false, detail: 'connection refused' },
    { component: 'facts', ok: false, detail: 'no answer within 0.02 s' },
  ])
})

test('The readiness check runs at most once per second', async () => {
  let calls = 0
  const { readiness, clock } = openReadiness({ jobs: () => Promise.resolve(String(++calls)) })
  await readiness.read()
  clock.now = 999
  await readiness.read()
  expect(calls).toBe(1)
  clock.now = 1000
  await readiness.read()
  expect(calls).toBe(2)
})

test('The server is not ready while it stops, though everything works', async () => {
  const { readiness } = openReadiness()
  readiness.drain()
  const { status, components } = await readiness.read()
  expect([status, components.every(({ ok }) => ok)]).toEqual(['draining', true])
})
