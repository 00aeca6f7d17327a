import { expect, test } from 'vitest'
import { systemScope } from '#server/identity/scope.ts'
import { fakeState } from '../../test/engines/fake-state.ts'
import { addOrganization } from './find-organization.ts'
import { findRegion } from './read-region.ts'

test('findRegion reads a region once per scope until one changes, and remembers no failure', async () => {
  const { state, readTables } = fakeState({ region: [{ region_id: 'r', timezone: 'UTC' }] })
  const find = () => findRegion(state, systemScope, 'r')
  expect(await find()).toMatchObject({ regionId: 'r', timezone: 'UTC' })
  expect(await find()).toBe(await find())
  expect(readTables).toEqual(['region'])
  state.changes.record('region')
  await find()
  expect(readTables).toEqual(['region', 'region'])
  await findRegion(state, { ...systemScope }, 'r')
  expect(readTables).toHaveLength(3)

  const empty = fakeState({ region: [] })
  await expect(findRegion(empty.state, systemScope, 'r')).rejects.toMatchObject({ code: 'not_found' })
  await expect(findRegion(empty.state, systemScope, 'r')).rejects.toMatchObject({ code: 'not_found' })
  expect(empty.readTables).toHaveLength(2)
})

test('addOrganization reads the organization of a region once per scope until one changes', async () => {
  const row = { organization_id: 'o', name: 'City', type: 'city', settings: {} }
  const { state, readTables } = fakeState({
    organization: [row],
    region: [{ region_id: 'r', organization_id: 'o' }],
  })
  const expand = async (scope = systemScope) =>
    addOrganization(state, scope, await findRegion(state, systemScope, 'r'))
  expect(await expand()).toMatchObject({
    regionId: 'r',
    organization: { id: 'o', name: 'City', type: 'city' },
  })
  await expand()
  expect(readTables).toEqual(['region', 'organization'])
  // Another server reports a change.
  state.changes.recordOther('organization')
  await expand()
  await expand({ ...systemScope })
  expect(readTables).toEqual(['region', 'organization', 'organization', 'organization'])
})
