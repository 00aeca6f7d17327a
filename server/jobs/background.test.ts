import { expect, it } from 'vitest'
import { openBackground } from './background.ts'

it('runs work later, logs what fails under its name, and is settled when all has ended', async () => {
  const logged: unknown[] = []
  const background = openBackground((line, details) => logged.push([line, details]))
  const done: string[] = []
  background.run('first', async () => {
    done.push('first')
    background.run('of the first', async () => void done.push('of the first'))
  })
  background.run('bad', async () => {
    throw new Error('it broke')
  })
  expect(done).toEqual([])
  await background.settled()
  expect(done).toEqual(['first', 'of the first'])
  expect(logged).toEqual([['bad', { error: 'it broke' }]])
})
