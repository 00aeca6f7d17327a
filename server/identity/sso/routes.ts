import { getOidcConfig } from '#contract/identity.ts'
import {
  changeSignInProvider,
  createSignInProvider,
  deleteSignInProvider,
  listSignInProviders,
} from '#contract/sign-in-providers.ts'
import { type Route, route } from '#server/http/route.ts'
import { findOidcConfig } from './find-provider.ts'
import { changeProvider, createProvider, deleteProvider } from './manage-providers.ts'
import { listProviders } from './read-provider.ts'
import type { Sso } from './sso.ts'

/** Returns the endpoints for the providers of single sign-on. */
export const ssoRoutes = (sso: Pick<Sso, 'state' | 'secretBox' | 'fetch'>): Route[] => [
  route(getOidcConfig, ({ query }) => findOidcConfig(sso.state, query.oidc_issuer_url)),
  route(listSignInProviders, ({ viewer }) => listProviders(sso.state.as(viewer.scope))),
  route(createSignInProvider, ({ viewer, body }) => createProvider(sso, viewer, body)),
  route(changeSignInProvider, ({ viewer, params, body }) =>
    changeProvider(sso, viewer.scope, params.provider_id, body),
  ),
  route(deleteSignInProvider, ({ viewer, params }) =>
    deleteProvider(sso.state, viewer.scope, params.provider_id),
  ),
]
