import { expect, test } from 'vitest'
import {
  clickhouseMigrations,
  postgresMigrations,
  PreReleaseData,
} from '#server/stores/migrations/migrations.ts'
import { isUpgrade, planStore, checkPlan, UpgradeRefused } from './migration-plan.ts'

const listNames = (migrations: readonly { name: string }[]): string[] => migrations.map(({ name }) => name)
const [stateNames, factNames] = [listNames(postgresMigrations), listNames(clickhouseMigrations)]
const createPlan = (state: readonly string[], facts: readonly string[] = factNames) => ({
  state: planStore(state, postgresMigrations),
  facts: planStore(facts, clickhouseMigrations),
})

test('The migration plan lists applied, missing and unknown migrations', () => {
  expect(planStore(['a', 'x'], [{ name: 'a' }, { name: 'b' }])).toEqual({
    done: ['a'],
    pending: ['b'],
    unknown: ['x'],
  })
})

test('The migration plan is an upgrade if data lacks migrations, not if there is no data', () => {
  expect([
    isUpgrade(createPlan(stateNames.slice(0, -1))),
    isUpgrade(createPlan(stateNames, factNames.slice(0, -1))),
    isUpgrade(createPlan(stateNames)),
    isUpgrade(createPlan([], [])),
  ]).toEqual([true, true, false, false])
})

test('The server opens data of this and of earlier versions', () => {
  for (const done of [stateNames, stateNames.slice(0, 1), []])
    expect(() => checkPlan(createPlan(done))).not.toThrow()
})

test('The server refuses newer data, and says how to upgrade or restore', () => {
  const newer = createPlan([...stateNames, '900-of-the-future'])
  expect(() => checkPlan(newer)).toThrow(UpgradeRefused)
  expect(() => checkPlan(newer)).toThrow(/newer version.*900-of-the-future.*restore the backup/)
})

test('The server refuses data that is too old with the versions to start first', () => {
  const old = { from: '3.0.0', firstMigration: '100-squashed', stops: ['1.9.4', '2.8.0'] }
  expect(() => checkPlan(createPlan(stateNames.slice(0, 2)), old)).toThrow(
    /older than 3\.0\.0\. Start Publicway 1\.9\.4, then 2\.8\.0 once each/,
  )
  expect(() => checkPlan(createPlan(['000-pre-release']))).toThrow(PreReleaseData)
})
