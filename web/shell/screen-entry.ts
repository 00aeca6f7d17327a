import type { QueryClient } from '@tanstack/react-query'
import type { AsyncRouteComponent } from '@tanstack/react-router'
import { type ComponentType, createContext, type ReactNode } from 'react'
import type { PermissionKey } from '#contract/permission.ts'
import type { PageKey } from './pages.ts'

/** A component whose code can be fetched ahead. */
export type Preloadable<Props = object> = ComponentType<Props> & Pick<AsyncRouteComponent<Props>, 'preload'>

/** One screen: where it is, what the tab calls it, who may see it. What it keeps in the address bar it reads itself (use-search-state.ts), so that its code stays out of the first load. */
export interface ScreenEntry {
  /** `/$regionId/...` for screens of a region. */
  path: string
  /** Key of the page's name. */
  title: string
  /** `public` screens stand without the frame. */
  permission: 'public' | 'signed_in' | PermissionKey
  /** The page of the region that it shows: where that is off, the screen is not found. */
  page?: PageKey
  Screen: Preloadable
  /** Asks the server for what the screen is going to show first, before it is known who asks and what the region is. */
  prefetch?: (client: QueryClient, regionId: string) => Promise<unknown>
}

/** What rooms put into the frame, which knows none of them. Filled in screens.tsx, handed over in main.tsx. */
export interface ShellSlots {
  /** Opened by Profile Settings; without it there is no such line. */
  ProfileDialog?: ComponentType<{ onClose: () => void }>
  /** Stands between who is signed in and everything else: second factor, terms of service. It knows useMe(). */
  Gate?: Preloadable<{ children: ReactNode }>
}

export const ShellSlotsContext = createContext<ShellSlots>({})
