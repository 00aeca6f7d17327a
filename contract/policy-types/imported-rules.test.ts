import { describe, expect, it } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { emptyPolicy, type ImportedMds, type Policy } from '#contract/policy.ts'
import { importedRules } from './imported-rules.ts'
import { mdsRules } from './mds-rules.ts'
import { sentPolicy } from './sent-policy.ts'
import { validatePolicy } from './validate-policy.ts'

const shapeOne = 'aaaaaaaa-0000-4000-8000-000000000001'
const shapeTwo = 'aaaaaaaa-0000-4000-8000-000000000002'
const revisionId = 'bbbbbbbb-0000-4000-8000-000000000001'
const nextRevisionId = 'bbbbbbbb-0000-4000-8000-000000000002'
const rule: MdsRule = {
  name: 'Corral',
  rule_id: 'theirs',
  rule_type: 'count',
  geographies: ['g1', 'g2'],
  maximum: 4,
  inclusive_maximum: false,
  minimum: null,
}
const imported: ImportedMds = {
  rules: [rule, { ...rule, name: 'Other', geographies: ['g2'] }],
  currency: 'EUR',
  provider_ids: [],
  places: [
    { geography_id: 'g1', name: 'One', shape_uuids: [shapeOne] },
    { geography_id: 'g2', name: 'Two', shape_uuids: [shapeTwo] },
  ],
}
const scope = {
  geographies: [
    { geography_id: 'ours-1', name: 'One', shape_uuid: shapeOne },
    { geography_id: 'ours-2', name: 'Two', shape_uuid: shapeTwo },
  ],
  currency: 'USD',
}
const policy = {
  ...emptyPolicy(),
  policy_type: 'unknown',
  policy_name: 'P',
  policy_uuid: revisionId,
  imported_mds: imported,
} as Policy

describe('imported rules', () => {
  it('publishes imported rules as received, with the geographies of this server', () => {
    expect(importedRules(imported, scope).map(({ name, geographies }) => [name, geographies])).toEqual([
      ['Corral', ['ours-1', 'ours-2']],
      ['Other', ['ours-2']],
    ])
    const rules = mdsRules(policy, scope)
    expect(rules[0]).toMatchObject({
      name: 'Corral',
      rule_type: 'count',
      maximum: 4,
      inclusive_maximum: false,
    })
    expect(rules[0]).not.toHaveProperty('minimum')
  })

  it('gives imported rules new ids in each revision', () => {
    const ids = [policy, { ...policy, policy_uuid: nextRevisionId }].flatMap((revision) =>
      mdsRules(revision, scope).map(({ rule_id: id }) => id),
    )
    expect(new Set(ids).size).toBe(4)
    expect(ids).not.toContain('theirs')
  })

  it('removes the geography of a deleted shape from imported rules', () => {
    expect(
      importedRules(imported, { ...scope, geographies: scope.geographies.slice(1) })[0]?.geographies,
    ).toEqual(['ours-2'])
  })

  it('removes imported rules when a policy changes to one of our types; the form cannot edit them', () => {
    expect(sentPolicy({ ...policy, policy_type: 'no_parking' }).imported_mds).toBeNull()
    expect(mdsRules({ ...policy, policy_type: 'no_parking' }, scope)).toMatchObject([
      { name: 'P', maximum: 0 },
    ])
    expect(validatePolicy(policy, { currency: 'USD' })).toEqual({ policy_type: 'required' })
  })
})
