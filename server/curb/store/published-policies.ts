import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import type { Store } from '#server/stores/state.ts'
import { derivePolicyId, getPolicyContent, computeSignature } from './policy-signature.ts'
import type { StagedPolicy, StagedPolicySet } from './staged.ts'
import { inBatches } from './zone-rows.ts'

interface PolicyOptions {
  regionId: string
  importId: string
  email: string
  at: Date
}

/** The published policies of a region, and those that an import adds. Identical policies share one id. */
export class PublishedPolicies {
  readonly #options: PolicyOptions
  readonly #policies = new Map<string, CdsPolicy>()
  readonly #idBySignature = new Map<string, string>()
  /** By id in the source: the new id of a policy that differs from the stored one with this id. */
  readonly #renamedIds = new Map<string, string>()
  /** Policies that were added since the last write. */
  #added: CdsPolicy[] = []

  private constructor(options: PolicyOptions) {
    this.#options = options
  }

  static async read(store: Store, options: PolicyOptions): Promise<PublishedPolicies> {
    const policies = new PublishedPolicies(options)
    const rows = await store
      .selectFrom('curb_policy')
      .select(['curb_policy_id', 'signature', 'policy'])
      .where('region_id', '=', options.regionId)
      .where('status', '=', 'published')
      .execute()
    for (const row of rows) {
      policies.#idBySignature.set(row.signature, row.curb_policy_id)
      policies.#policies.set(row.curb_policy_id, row.policy as CdsPolicy)
    }
    return policies
  }

  /** Finds the id of a policy in the region. Adds the policy if the region has none with the same content. */
  findOrAdd({ curb_policy_id: sourceId, published_date: published, ...rest }: StagedPolicy): string {
    const content = rest as CdsPolicyContent
    const signature = computeSignature(content)
    const idOfContent =
      this.#idBySignature.get(signature) ?? derivePolicyId(this.#options.regionId, signature)
    const storedPolicy = sourceId === undefined ? undefined : this.#policies.get(sourceId)
    if (sourceId !== undefined && !storedPolicy) return this.#add(sourceId, content, signature, published)
    if (sourceId !== undefined && storedPolicy) {
      if (computeSignature(getPolicyContent(storedPolicy)) === signature) return sourceId
      // CDS requires that an id always refers to the same policy, so different content gets another id.
      this.#renamedIds.set(sourceId, idOfContent)
    }
    return this.#policies.has(idOfContent)
      ? idOfContent
      : this.#add(idOfContent, content, signature, published)
  }

  /** Finds the ids of the policies of a set in the region. */
  findOrAddAll({ policies, policyIds }: StagedPolicySet): Set<string> {
    return new Set([
      ...policies.map((policy) => this.findOrAdd(policy)),
      ...policyIds.flatMap((id) => {
        const storedId = this.#renamedIds.get(id) ?? id
        return this.#policies.has(storedId) ? storedId : []
      }),
    ])
  }

  /** Writes the policies that were added since the last write. */
  async write(store: Store): Promise<void> {
    const { regionId, importId, email, at } = this.#options
    await inBatches(this.#added, (batch) =>
      store
        .insertInto('curb_policy')
        .values(
          batch.map((policy) => ({
            region_id: regionId,
            curb_policy_id: policy.curb_policy_id,
            signature: computeSignature(getPolicyContent(policy)),
            status: 'published',
            name: policy.name ?? '',
            policy: JSON.stringify(policy),
            import_id: importId,
            created_by: email,
            created_time: at,
            modified_time: at,
            published_by: email,
            published_time: at,
          })),
        )
        // An unpublished policy with the same id is published again.
        .onConflict((conflict) =>
          conflict.columns(['region_id', 'curb_policy_id']).doUpdateSet({ status: 'published' }),
        )
        .execute(),
    )
    this.#added = []
  }

  #add(id: string, content: CdsPolicyContent, signature: string, published?: number): string {
    const policy: CdsPolicy = {
      ...content,
      curb_policy_id: id,
      published_date: published ?? this.#options.at.getTime(),
    }
    this.#policies.set(id, policy)
    this.#idBySignature.set(signature, id)
    this.#added.push(policy)
    return id
  }
}
