import { expect, it } from 'vitest'
import { groupOfStates, stateGroups, statesOfGroup } from './who-text.ts'

it('knows each group by its states, in any order', () => {
  for (const group of stateGroups) expect(groupOfStates(statesOfGroup(group))).toBe(group)
  expect(statesOfGroup('all')).toBeNull()
  expect(groupOfStates(['on_trip', 'available', 'reserved'])).toBe('operational')
})

it('is null if states were selected individually', () => {
  expect(groupOfStates(['available'])).toBeNull()
})
