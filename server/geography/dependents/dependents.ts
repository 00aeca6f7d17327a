import type { Layer } from '#contract/geography.ts'
import type { Dependent, ShapePolicy } from '#contract/geography-use.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'

/** Finds the dependents of a layer or, if shapes are given, of these shapes. */
export type DependentSource = (
  scope: Scope,
  layer: Layer,
  shapeIds: readonly string[] | null,
) => Promise<Dependent[]>

/** A policy that applies to shapes of a layer. */
export interface DependentPolicy extends ShapePolicy {
  product: 'mobility' | 'curb'
  isPublished: boolean
}
export type PolicySource = (
  scope: Scope,
  layer: Layer,
  shapeIds: readonly string[] | null,
) => Promise<DependentPolicy[]>

/**
 * Finds the dependents of layers and shapes. Other rooms add their sources at startup, because geography may
 * not import them.
 */
export class Dependents {
  readonly #sources: DependentSource[] = []
  readonly #policies: PolicySource[] = []

  add(source: DependentSource): void {
    this.#sources.push(source)
  }

  addPolicies(source: PolicySource): void {
    this.#policies.push(source)
  }

  /** Lists policies that apply to shapes of a layer, by start date; policies without a start date first. */
  async listPolicies(...args: Parameters<PolicySource>): Promise<DependentPolicy[]> {
    const policies = (await Promise.all(this.#policies.map((source) => source(...args)))).flat()
    return policies.sort(
      (a, b) =>
        (a.start_date ?? '').localeCompare(b.start_date ?? '') || a.policy_name.localeCompare(b.policy_name),
    )
  }

  /** Lists all dependents: policies first, then those of other sources. */
  async list(...args: Parameters<DependentSource>): Promise<Dependent[]> {
    const policies = (await this.listPolicies(...args)).map((policy): Dependent => ({
      kind: 'policy',
      id: policy.policy_uuid,
      name: policy.policy_name,
      count: null,
    }))
    return [...policies, ...(await Promise.all(this.#sources.map((source) => source(...args)))).flat()]
  }

  /** @throws Problem `conflict` if the layer or shapes have dependents and the user has not confirmed. */
  async requireDeletable(
    isConfirmed: boolean | undefined,
    ...args: Parameters<DependentSource>
  ): Promise<void> {
    if (isConfirmed) return
    const dependents = await this.list(...args)
    if (!dependents.length) return
    const names = dependents
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ')
    throw new Problem(
      'conflict',
      `Something depends on what would be deleted: ${names}${dependents.length > 5 ? ' …' : ''}. Confirm to delete it anyway.`,
      undefined,
      { dependents },
    )
  }
}
