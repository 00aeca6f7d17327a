import { storedKeys } from './stored.ts'

/** The region that was open last: where `/` leads to. */
export const rememberedRegion = (): string | null => localStorage.getItem(storedKeys.region)
export const rememberRegion = (regionId: string): void => localStorage.setItem(storedKeys.region, regionId)
export const forgetRegion = (): void => localStorage.removeItem(storedKeys.region)
