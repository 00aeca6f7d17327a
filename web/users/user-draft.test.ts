import { describe, expect, it } from 'vitest'
import type { ManagedUser } from '#contract/users.ts'
import { getUserChanges, dropOperatorRoles, toUserDraft } from './user-draft.ts'
import { getUserState } from './user-table.tsx'

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
const draft = toUserDraft(user)

describe('the changes of a user', () => {
  it('are empty if nothing changed', () => {
    expect(getUserChanges(user, draft)).toEqual([])
    expect(getUserChanges(user, { ...draft, name: ' Grace ', regionIds: ['birch', 'alder'] })).toEqual([])
  })

  it('contain only what changed', () => {
    expect(getUserChanges(user, { ...draft, name: 'Grace H.' })).toEqual([
      { part: 'user', body: { name: 'Grace H.' } },
    ])
    expect(getUserChanges(user, { ...draft, regionIds: null })).toEqual([
      { part: 'user', body: { region_ids: null } },
    ])
    expect(getUserChanges(user, { ...draft, regionIds: [] })).toEqual([
      { part: 'user', body: { region_ids: [] } },
    ])
    expect(getUserChanges(user, { ...draft, roleIds: [] })).toEqual([
      { part: 'roles', body: { role_ids: [] } },
    ])
    expect(getUserChanges(user, { ...draft, keys: ['edit_geography'] })).toEqual([
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

  it('remove roles and permissions before adding operators, and add them after removing operators', () => {
    expect(getUserChanges(user, { ...draft, operators: ['lark'] })).toEqual([
      { part: 'roles', body: { role_ids: [] } },
      { part: 'keys', body: { permissions: [{ key: 'edit_policy', enabled: false }] } },
      { part: 'user', body: { operators: ['lark'] } },
    ])
    const larkUser: ManagedUser = { ...user, roles: [], keys: [], operators: ['lark'] }
    expect(
      getUserChanges(larkUser, { ...toUserDraft(larkUser), operators: null, keys: ['edit_policy'] }).map(
        ({ part }) => part,
      ),
    ).toEqual(['user', 'keys'])
    expect(getUserChanges(larkUser, toUserDraft(larkUser))).toEqual([])
    expect(dropOperatorRoles({ ...draft, operators: ['lark'] })).toMatchObject({
      roleIds: [],
      keys: [],
      operators: ['lark'],
      regionIds: ['alder', 'birch'],
    })
  })

  it('grant before they remove, so that an administrator stays one in between', () => {
    const admin = { ...user, keys: ['is_admin' as const] }
    expect(
      getUserChanges(admin, { ...toUserDraft(admin), keys: [], roleIds: ['r1', 'boss'] }).map(
        ({ part }) => part,
      ),
    ).toEqual(['roles', 'keys'])
    expect(
      getUserChanges(user, { ...draft, keys: ['is_admin'], roleIds: [], name: 'G' }).map(({ part }) => part),
    ).toEqual(['user', 'keys', 'roles'])
  })
})

it.each([
  [{ disabled: false, invited: false }, 'active'],
  [{ disabled: false, invited: true }, 'invited'],
  [{ disabled: true, invited: true }, 'disabled'],
] as const)('the state of %j is %s', (flags, state) => expect(getUserState(flags)).toBe(state))
