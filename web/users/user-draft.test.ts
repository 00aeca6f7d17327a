import { describe, expect, it } from 'vitest'
import type { ManagedUser } from '#contract/users.ts'
import { partsOf, settledDraft, userDraftOf } from './user-draft.ts'
import { stateOf } from './user-table.tsx'

const user: ManagedUser = {
  id: 'u2',
  email: 'grace@city.example',
  name: 'Grace',
  disabled: false,
  invited: false,
  roles: [{ id: 'r1', name: 'Desk' }],
  keys: ['edit_policy'],
  regionIds: ['alder', 'birch'],
  operators: null,
  secondFactors: 0,
  lastSignInTime: null,
}
const draft = userDraftOf(user)

describe('the calls of a changed user', () => {
  it('are none where nothing changed', () => {
    expect(partsOf(user, draft)).toEqual([])
    expect(partsOf(user, { ...draft, name: ' Grace ', regionIds: ['birch', 'alder'] })).toEqual([])
  })

  it('ask only for what changed', () => {
    expect(partsOf(user, { ...draft, name: 'Grace H.' })).toEqual([
      { part: 'user', body: { name: 'Grace H.' } },
    ])
    expect(partsOf(user, { ...draft, regionIds: null })).toEqual([
      { part: 'user', body: { region_ids: null } },
    ])
    expect(partsOf(user, { ...draft, regionIds: [] })).toEqual([{ part: 'user', body: { region_ids: [] } }])
    expect(partsOf(user, { ...draft, roleIds: [] })).toEqual([{ part: 'roles', body: { role_ids: [] } }])
    expect(partsOf(user, { ...draft, keys: ['edit_geography'] })).toEqual([
      {
        part: 'keys',
        body: {
          permissions: [
            { key: 'edit_geography', enabled: true },
            { key: 'edit_policy', enabled: false },
          ],
        },
      },
    ])
  })

  it('take roles and permissions before operators come, and give them once those are gone', () => {
    expect(partsOf(user, { ...draft, operators: ['lark'] })).toEqual([
      { part: 'roles', body: { role_ids: [] } },
      { part: 'keys', body: { permissions: [{ key: 'edit_policy', enabled: false }] } },
      { part: 'user', body: { operators: ['lark'] } },
    ])
    const lark: ManagedUser = { ...user, roles: [], keys: [], operators: ['lark'] }
    expect(
      partsOf(lark, { ...userDraftOf(lark), operators: null, keys: ['edit_policy'] }).map(({ part }) => part),
    ).toEqual(['user', 'keys'])
    expect(partsOf(lark, userDraftOf(lark))).toEqual([])
    expect(settledDraft({ ...draft, operators: ['lark'] })).toMatchObject({
      roleIds: [],
      keys: [],
      operators: ['lark'],
      regionIds: ['alder', 'birch'],
    })
  })

  it('give before they take, so that an administrator stays one between them', () => {
    const admin = { ...user, keys: ['is_admin' as const] }
    expect(
      partsOf(admin, { ...userDraftOf(admin), keys: [], roleIds: ['r1', 'boss'] }).map(({ part }) => part),
    ).toEqual(['roles', 'keys'])
    expect(
      partsOf(user, { ...draft, keys: ['is_admin'], roleIds: [], name: 'G' }).map(({ part }) => part),
    ).toEqual(['user', 'keys', 'roles'])
  })
})

it.each([
  [{ disabled: false, invited: false }, 'active'],
  [{ disabled: false, invited: true }, 'invited'],
  [{ disabled: true, invited: true }, 'disabled'],
] as const)('the state of %j is %s', (flags, state) => expect(stateOf(flags)).toBe(state))
