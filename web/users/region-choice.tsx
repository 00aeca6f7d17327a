import { useTranslation } from 'react-i18next'
import { listRegions, type Region } from '#contract/regions.ts'
import { AllOrSome } from '#web/kit/all-or-some.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useEndpointQuery } from '#web/data/query.ts'

/** Returns the regions that the viewer sees; null while they load. */
export function useRegions(): readonly Region[] | null {
  return useEndpointQuery(listRegions, { query: { size: 300 } }).data?.items ?? null
}

/** Returns the name of a region; its id while they load, or if the viewer does not see it. */
export const getRegionName = (regions: readonly Region[] | null, regionId: string): string =>
  regions?.find((region) => region.regionId === regionId)?.text ?? regionId

interface Props {
  value: string[] | null
  error: string | undefined
  onChange: (value: string[] | null) => void
}

/** The regions that a user sees. An administrator of some regions cannot grant access to all. */
export function RegionChoice({ value, error, onChange }: Props) {
  const { t } = useTranslation()
  const regions = useRegions()
  const { user: self } = useMe()
  // Selected regions that the viewer does not see are offered too.
  const ids = [...new Set([...(regions ?? []).map((region) => region.regionId), ...(value ?? [])])]
  return (
    <AllOrSome
      label={t('users:field.regions')}
      all={self.regionIds ? null : t('users:regions.all')}
      some={t('users:regions.some')}
      none={t('users:regions.none')}
      startsEmpty
      error={error}
      options={ids.map((id) => ({ value: id, label: getRegionName(regions, id) }))}
      value={value}
      onChange={onChange}
    />
  )
}
