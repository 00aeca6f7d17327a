import * as contract from '#contract/policies.ts'
import { importPolicies, previewPolicyImport } from '#contract/policy-import.ts'
import { getRequirements, saveRequirements } from '#contract/requirements.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { deletePolicy } from './delete-policy.ts'
import { discardDraft } from './discard-draft.ts'
import { parsePolicyQuery, matchesFilter } from './feed/policy-query.ts'
import { feedRoutes } from './feed/feed-routes.ts'
import { geographiesBody, policiesBody, readFeed } from './feed/read-feed.ts'
import { findRetainedPolicy, findPolicy, findPolicyByConstant } from './find-policy.ts'
import { importPolicies as storeImport, previewImport } from './import/import-policies.ts'
import { listPolicies } from './list-policies.ts'
import { listRevisions } from './list-revisions.ts'
import { publishPolicy, unpublishPolicy } from './publish-policy.ts'
import { findRequirements } from './requirements/find-requirements.ts'
import { saveRequirements as storeRequirements } from './requirements/save-requirements.ts'
import { savePolicy, duplicatePolicy } from './save-policy.ts'

interface Policies {
  state: State
  facts: Facts
  now: () => number
  publicUrl: string
  /** Fetches from servers of other agencies. */
  fetch: GuardedFetch
}

/** Routes of policies, including the public feeds. */
export function policyRoutes({ state, facts, now, publicUrl, fetch }: Policies): Route[] {
  const stores = { state, facts }
  const importing = { ...stores, fetch }
  return [
    route(contract.listPolicies, ({ viewer, body, at }) => listPolicies(state, viewer.scope, body, at)),
    route(contract.getPolicy, ({ viewer, params, at }) =>
      findPolicy(state, viewer.scope, params.policy_uuid, at),
    ),
    route(contract.getPolicyByConstant, async ({ viewer, params, at }) => ({
      policy: await findPolicyByConstant(state, viewer.scope, params.constant_policy_uuid, at),
    })),
    route(contract.getKeptPolicy, async ({ viewer, params, at }) => ({
      policy: await findRetainedPolicy(state, viewer.scope, params.constant_policy_uuid, at),
    })),
    route(contract.listPolicyRevisions, async ({ viewer, params }) => ({
      items: await listRevisions(state, viewer.scope, params.constant_policy_uuid),
    })),
    route(contract.savePolicy, async ({ viewer, body, at }) => ({
      plcy: await savePolicy(stores, viewer, body, at),
    })),
    route(contract.duplicatePolicy, async ({ viewer, body, at }) => ({
      plcy: await duplicatePolicy(stores, viewer, body.policy_uuid, at),
    })),
    route(contract.deletePolicy, async ({ viewer, body, at }) => {
      await deletePolicy(state, viewer, body.policy_uuid, body.if_modified_time, at)
      return { deleted: true }
    }),
    route(
      contract.publishPolicy,
      async ({ viewer, body: { policy_uuid: id, published, if_modified_time: seen }, at }) => ({
        plcy: await (published ? publishPolicy : unpublishPolicy)(stores, viewer, id, seen, at),
      }),
    ),
    route(contract.discardDraft, async ({ viewer, body, at }) => ({
      plcy: await discardDraft(state, viewer, body.policy_uuid, body.if_modified_time, at),
    })),
    route(contract.getMdsPolicies, async ({ viewer, body, at }) => {
      await findRegion(state, viewer.scope, body.region_id)
      const { lastUpdated, policies } = await readFeed(state, viewer.scope, body.region_id)
      const filter = parsePolicyQuery({}, at)
      return policiesBody(
        lastUpdated,
        typeof filter === 'string'
          ? []
          : policies.filter((revision) => matchesFilter(revision, filter, at)).map((each) => each.body),
      )
    }),
    route(contract.getMdsGeographies, async ({ viewer, body }) => {
      await findRegion(state, viewer.scope, body.region_id)
      const { lastUpdated, geographies } = await readFeed(state, viewer.scope, body.region_id)
      return geographiesBody(lastUpdated, geographies)
    }),
    route(previewPolicyImport, ({ viewer, body, at }) => previewImport(importing, viewer, body, at)),
    route(importPolicies, ({ viewer, body, at }) => storeImport(importing, viewer, body, at)),
    route(getRequirements, async ({ viewer, params }) => {
      await findRegion(state, viewer.scope, params.region_id)
      return findRequirements(state.as(viewer.scope), params.region_id)
    }),
    route(saveRequirements, ({ viewer, params, body, at }) =>
      storeRequirements(state, viewer, params.region_id, body, at),
    ),
    ...feedRoutes({ state, now, publicUrl }),
  ]
}
