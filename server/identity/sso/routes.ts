import { getOidcConfig } from '#contract/identity.ts'
import {
  changeSignInProvider,
  createSignInProvider,
  deleteSignInProvider,
  listSignInProviders,
} from '#contract/sign-in-providers.ts'
import { type Route, route } from '#server/http/route.ts'
import { changeProvider } from './change-provider.ts'
import { createProvider } from './create-provider.ts'
import { deleteProvider } from './delete-provider.ts'
import { findOidcConfig } from './find-provider.ts'
import { listProviders } from './read-provider.ts'
import type { Sso } from './sso.ts'

export const ssoRoutes = (sso: Pick<Sso, 'state' | 'box' | 'fetch'>): Route[] => [
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
