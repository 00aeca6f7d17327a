import type { QueryClient } from '@tanstack/react-query'
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, createContext, type ReactNode } from 'react'
import type { PermissionKey } from '#contract/permission.ts'
import { type PageKey, pages, pageTitle } from './pages.ts'

/** A component that can be loaded in advance. */
export type Preloadable<Props = object> = ComponentType<Props> & Pick<AsyncRouteComponent<Props>, 'preload'>

/** One screen. It parses its own search parameters (use-search-state.ts), outside of the first load. */
export interface ScreenEntry {
  /** Path; starts with `/$regionId/` for screens of a region. */
  path: string
  /** Text key of the page name. */
  title: string
  /** `public` screens are outside of the frame. */
  permission: 'public' | 'signed_in' | PermissionKey
  /** The page that the screen shows; if the page is disabled, the screen is not found. */
  page?: PageKey
  Screen: Preloadable
  /** Requests the first data of the screen before the user and the region are loaded. */
  prefetch?: (client: QueryClient, regionId: string) => Promise<unknown>
}

/** The screen of a page in pages.ts. Its component is the export `name` of a file loaded on demand. */
export const pageScreen = <K extends string>(
  key: PageKey,
  load: () => Promise<Readonly<Record<K, ScreenEntry['Screen']>>>,
  name: K,
  prefetch?: ScreenEntry['prefetch'],
): ScreenEntry => ({
  path: `/$regionId/${pages[key].path}`,
  title: pageTitle(key),
  permission: 'signed_in',
  page: key,
  Screen: lazyRouteComponent(async () => ({ default: (await load())[name] })),
  ...(prefetch ? { prefetch } : {}),
})

/** Returns the screen of an index path, with a component that redirects to a page. */
export const indexScreen = (path: string, Screen: ScreenEntry['Screen']): ScreenEntry => ({
  path: `/$regionId${path}`,
  title: 'shell:pages.home',
  permission: 'signed_in',
  Screen,
})

/** Components that rooms provide to the frame. Filled in screens.tsx, passed in main.tsx. */
export interface ShellSlots {
  /** Opened by Profile Settings; without it the menu item is hidden. */
  ProfileDialog?: ComponentType<{ onClose: () => void }>
  /** Wraps all screens of signed-in users, for second factor and terms of service. May call useMe(). */
  Gate?: Preloadable<{ children: ReactNode }>
}

export const ShellSlotsContext = createContext<ShellSlots>({})
