import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import { addressBar } from '#web/data/leave-page.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { ClosePopupScreen } from './close-popup-screen.tsx'
import { LoginScreen } from './login-screen.tsx'
import { OidcEnteredScreen } from './oidc-entered-screen.tsx'
import { OidcLoginScreen } from './oidc-login-screen.tsx'
import { readSavedProvider, saveProvider } from './saved-provider.ts'

const open = (path: string, Screen: ScreenEntry['Screen']): ScreenEntry =>
  makeScreenEntry(path, 'shell:pages.login', Screen, 'public')
const screens = [
  open('/login', LoginScreen),
  open('/oidc/login', OidcLoginScreen),
  open('/oidc/entered', OidcEnteredScreen),
  open('/oauth2/login/close', ClosePopupScreen),
  open('/here', () => <p>Arrived</p>),
  open('/', () => <p>The root</p>),
]
const failed =
  'There was an error logging you in via your SSO provider. Please contact your account manager to resolve this issue.'
const ada = { providerId: 'p-1', name: 'City of Alder', email: 'ada@alder.example' }
const noDemo = { 'GET /internal/demo': () => new ErrorResponse(404, 'Not Found') }

beforeEach(() => {
  localStorage.clear()
  vi.spyOn(addressBar, 'assign').mockReturnValue()
  vi.spyOn(addressBar, 'replace').mockReturnValue()
})
afterEach(() => vi.unstubAllGlobals())

describe('/oidc/login', () => {
  it.each(['iss', 'issuer', 'oidc_issuer_url'])(
    'finds the provider by the parameter %s and redirects to it, without a history entry',
    async (name) => {
      const { requests } = fakeServer({
        'GET /v2/config/oidc': () => ({ gidp_provider_id: 'p-1', name: 'City' }),
      })
      await renderApp(
        screens,
        `/oidc/login?${name}=${encodeURIComponent('https://id.example/a?b')}&login_hint=ada%40alder.example&origin=%2Fhere`,
      )
      await waitFor(() =>
        expect(addressBar.replace).toHaveBeenCalledWith(
          '/api/sso/start?provider_id=p-1&origin=%2Fhere&login_hint=ada%40alder.example',
        ),
      )
      expect(requests.map(({ path, query }) => [path, query.get('oidc_issuer_url')])).toEqual([
        ['/v2/config/oidc', 'https://id.example/a?b'],
      ])
    },
  )

  it('makes no request if the query contains the provider’s id, even one of digits', async () => {
    const { requests } = fakeServer({})
    await renderApp(screens, '/oidc/login?provider_id=007')
    await waitFor(() => expect(addressBar.replace).toHaveBeenCalledWith('/api/sso/start?provider_id=007'))
    expect(requests).toEqual([])
  })

  it('returns to the page that the provider requests, if it is on this site', async () => {
    fakeServer({})
    await renderApp(
      screens,
      `/oidc/login?provider_id=p&target_link_uri=${encodeURIComponent(`${window.location.origin}/here?x=1`)}`,
    )
    await waitFor(() =>
      expect(addressBar.replace).toHaveBeenCalledWith('/api/sso/start?provider_id=p&origin=%2Fhere%3Fx%3D1'),
    )
  })

  it.each(['https://evil.example/here', '//evil.example', 'javascript:alert(1)'])(
    'and to the root if it requests %s',
    async (target) => {
      fakeServer({})
      await renderApp(screens, `/oidc/login?provider_id=p&target_link_uri=${encodeURIComponent(target)}`)
      await waitFor(() => expect(addressBar.replace).toHaveBeenCalledWith('/api/sso/start?provider_id=p'))
    },
  )

  it.each([
    ['', 'MISSING_ISS_PARAMETER'],
    ['?provider_id=', 'MISSING_ISS_PARAMETER'],
    ['?iss=', 'ISSUER_NOT_PROVIDED'],
    ['?iss=https%3A%2F%2Funknown.example', 'ISSUER_UNKNOWN'],
    ['?iss=broken', 'PROVIDER_FAILED'],
  ])('shows that it failed, with the code: %s %s', async (query, code) => {
    fakeServer({
      'GET /v2/config/oidc': ({ query }) => {
        const issuer = query.get('oidc_issuer_url')
        return issuer === 'broken'
          ? new ErrorResponse(500, 'Something else')
          : new ErrorResponse(
              400,
              issuer ? 'ISSUER_UNKNOWN: There is none.' : 'ISSUER_NOT_PROVIDED: The parameter is missing.',
            )
      },
    })
    await renderApp(screens, `/oidc/login${query}`)
    expect(await screen.findByText(failed)).toBeInTheDocument()
    expect(screen.getByRole('alert')).toHaveTextContent(`Login Error${failed}${code}`)
    expect(addressBar.assign).not.toHaveBeenCalled()
    expect(addressBar.replace).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('link', { name: 'Back to the sign-in page' }))
    expect(await screen.findByLabelText(/E-mail/)).toBeInTheDocument()
  })

  it('shows an error if the server does not respond', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await renderApp(screens, '/oidc/login?iss=https%3A%2F%2Fid.example')
    expect(await screen.findByRole('alert')).toHaveTextContent('PROVIDER_FAILED')
  })
})

describe('/oidc/entered', () => {
  it('remembers the provider, and no token, and continues', async () => {
    fakeServer({
      'GET /api/sso/entered': () => ({
        provider_id: 'p-1',
        name: 'City of Alder',
        email: 'ada@alder.example',
        token: 'x',
      }),
    })
    const router = await renderApp(screens, '/oidc/entered?origin=%2Fhere%3Fx%3D1')
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
    expect(router.state.location.href).toBe('/here?x=1')
    expect(
      Object.fromEntries(
        Object.entries(localStorage).map(([key, value]) => [key, JSON.parse(value as string)]),
      ),
    ).toEqual({ 'publicway.sign-in-provider': ada, 'publicway.last-active': expect.any(Number) })
  })

  it.each([
    '',
    '?origin=https%3A%2F%2Fevil.example',
    '?origin=%2F%2Fevil.example',
    '?origin=%2Foidc%2Fentered',
  ])('continues to the root with %s, also if nothing can be stored', async (query) => {
    fakeServer({})
    await renderApp(screens, `/oidc/entered${query}`)
    expect(await screen.findByText('The root')).toBeInTheDocument()
    expect(readSavedProvider()).toBeNull()
  })
})

describe('the sign-in page after a single sign-on', () => {
  it('shows the email, read-only, and leads to the same provider', async () => {
    fakeServer(noDemo)
    saveProvider(ada)
    await renderApp(screens, '/login?origin=%2Fhere')
    expect(await screen.findByLabelText('E-mail')).toBeDisabled()
    expect(screen.getByLabelText('E-mail')).toHaveValue('ada@alder.example')
    expect(screen.getByText('You sign in with City of Alder.')).toBeInTheDocument()
    expect(screen.queryByLabelText(/^Password/)).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Login' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Login via SSO' }))
    expect(addressBar.assign).toHaveBeenCalledWith(
      '/api/sso/start?provider_id=p-1&login_hint=ada%40alder.example&origin=%2Fhere',
    )
  })

  it('forgets the provider on request, and waits for another address', async () => {
    fakeServer(noDemo)
    saveProvider(ada)
    await renderApp(screens, '/login')
    await userEvent.click(
      await screen.findByRole('button', {
        name: 'Not ada@alder.example? Login with a different email address.',
      }),
    )
    expect(screen.getByLabelText(/E-mail/)).toBeEnabled()
    expect(screen.getByLabelText(/E-mail/)).toHaveFocus()
    expect(screen.getByRole('button', { name: 'Login' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Login via SSO' })).not.toBeInTheDocument()
    expect(readSavedProvider()).toBeNull()
  })

  it.each(['{', '7', 'null', '{"providerId":7}', '{"providerId":"p","name":"x","email":""}'])(
    'the sign-in page after a single sign-on is the default page if %s is stored',
    async (text) => {
      localStorage.setItem('publicway.sign-in-provider', text)
      fakeServer(noDemo)
      await renderApp(screens, '/login')
      expect(await screen.findByRole('button', { name: 'Login' })).toBeInTheDocument()
    },
  )
})

describe('the first single sign-on', () => {
  it('asks for an email, and leads to the provider of its domain', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login?origin=%2Fhere')
    await userEvent.click(await screen.findByRole('button', { name: 'Use single sign-on' }))
    expect(screen.getByText(/Enter your e-mail address first/)).toBeInTheDocument()
    expect(screen.getByLabelText(/E-mail/)).toHaveFocus()
    expect(addressBar.assign).not.toHaveBeenCalled()
    expect(addressBar.replace).not.toHaveBeenCalled()
    await userEvent.keyboard('ada@alder.example')
    expect(screen.queryByText(/Enter your e-mail address first/)).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Use single sign-on' }))
    expect(addressBar.assign).toHaveBeenCalledWith(
      '/api/sso/start?login_hint=ada%40alder.example&origin=%2Fhere',
    )
  })
})

describe('an error of the server on the sign-in page', () => {
  it('shows the text, the code and the id', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login?sso_error=SIGN_IN_REFUSED&sso_id=12345678')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      `Login Error${failed}SIGN_IN_REFUSEDError id, for support: 12345678`,
    )
  })

  it('directs users without a provider to use the password', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login?sso_error=DOMAIN_UNKNOWN')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'No single sign-on is set up for the domain of this e-mail address. Sign in with your password.',
    )
  })

  it.each(['call +1 555 0100', '<b>x</b>', 'lower_case', ''])(
    'shows nothing for an invalid code %j',
    async (code) => {
      fakeServer(noDemo)
      await renderApp(screens, `/login?sso_error=${encodeURIComponent(code)}&sso_id=call-me`)
      await screen.findByLabelText(/E-mail/)
      expect(screen.queryByRole('alert')).not.toBeInTheDocument()
      expect(document.body).not.toHaveTextContent('call-me')
    },
  )
})

describe('/oauth2/login/close', () => {
  it('passes the hash to an opener of this site, and closes', async () => {
    const opener = {
      postMessage: vi.fn<(message: unknown, origin: string) => void>(),
      onOauth2LoginClose: vi.fn<(hash: string) => void>(),
    }
    const close = vi.fn<() => void>()
    vi.stubGlobal('opener', opener)
    vi.stubGlobal('close', close)
    window.location.hash = '#provider_id=p-1'
    await renderApp(screens, '/oauth2/login/close')
    expect(await screen.findByText('You can close this window.')).toBeInTheDocument()
    expect(opener.postMessage).toHaveBeenCalledWith(
      { type: 'oauth2-login-close', hash: '#provider_id=p-1' },
      window.location.origin,
    )
    expect(opener.onOauth2LoginClose).toHaveBeenCalledWith('#provider_id=p-1')
    expect(close).toHaveBeenCalled()
    window.location.hash = ''
  })
})
