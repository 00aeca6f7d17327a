import type { Layer } from '#contract/geography.ts'
import type { Dependent, ShapePolicy } from '#contract/geography-use.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'

/** What of a room rests on a layer; where shapes are given, on any of them. */
export type DependentsOf = (
  scope: Scope,
  layer: Layer,
  shapeIds: readonly string[] | null,
) => Promise<Dependent[]>

/** A policy on a layer's shapes. */
export interface StandingPolicy extends ShapePolicy {
  product: 'mobility' | 'curb'
  isPublished: boolean
}
export type PoliciesOf = (
  scope: Scope,
  layer: Layer,
  shapeIds: readonly string[] | null,
) => Promise<StandingPolicy[]>

/** What depends on layers and shapes. Later rooms add themselves at the start: geography knows none of them. */
export class Dependents {
  readonly #sources: DependentsOf[] = []
  readonly #policies: PoliciesOf[] = []

  add(source: DependentsOf): void {
    this.#sources.push(source)
  }

  addPolicies(source: PoliciesOf): void {
    this.#policies.push(source)
  }

  /** Policies by their start, those without one first. */
  async policiesOf(...of: Parameters<PoliciesOf>): Promise<StandingPolicy[]> {
    const found = (await Promise.all(this.#policies.map((source) => source(...of)))).flat()
    return found.sort(
      (a, b) =>
        (a.start_date ?? '').localeCompare(b.start_date ?? '') || a.policy_name.localeCompare(b.policy_name),
    )
  }

  /** Policies first, then the rest in the order of the rooms. */
  async of(...of: Parameters<DependentsOf>): Promise<Dependent[]> {
    const policies = (await this.policiesOf(...of)).map((policy): Dependent => ({
      kind: 'policy',
      id: policy.policy_uuid,
      name: policy.policy_name,
      count: null,
    }))
    return [...policies, ...(await Promise.all(this.#sources.map((source) => source(...of)))).flat()]
  }

  /** Refuses a deletion that would take something's ground away, unless it is confirmed. */
  async mayGo(isConfirmed: boolean | undefined, ...of: Parameters<DependentsOf>): Promise<void> {
    if (isConfirmed) return
    const dependents = await this.of(...of)
    if (!dependents.length) return
    const names = dependents
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ')
    throw new Problem(
      'conflict',
      `Something depends on what would be deleted: ${names}${dependents.length > 5 ? ' …' : ''}. Confirm to delete it all the same.`,
      undefined,
      { dependents },
    )
  }
}
