import { expect, test } from 'vitest'
import { openBackground } from './background.ts'

test('The background runs work later, logs failures under its name, and settles when all work has ended', async () => {
  const logged: unknown[] = []
  const background = openBackground((line, details) => logged.push([line, details]))
  const done: string[] = []
  background.run('first', async () => {
    done.push('first')
    background.run('started by first', async () => void done.push('started by first'))
  })
  background.run('bad', async () => {
    throw new Error('it failed')
  })
  expect(done).toEqual([])
  await background.settled()
  expect(done).toEqual(['first', 'started by first'])
  expect(logged).toEqual([['bad', { error: 'it failed' }]])
})
