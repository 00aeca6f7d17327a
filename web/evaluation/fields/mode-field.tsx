import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isPageEnabled } from '#web/shell/features.ts'
import { getSharedSearch, pages, pageTitle } from '#web/shell/pages.ts'
import { useAccessContext } from '#web/shell/use-access-context.ts'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'
import type { MapMode } from '#web/map-page/by-shape/map-mode.ts'
import { mapModes } from '../modes/map-modes.ts'

interface Props {
  regionId: string
  mode: MapMode
  search: MapSearch
}

/** Switches to another map with the same operators, vehicle types, period and layer. */
export function ModeField({ regionId, mode, search }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const access = useAccessContext()
  const offeredModes = Object.values(mapModes).filter(
    ({ key }) => key === mode.key || (access !== null && isPageEnabled(access, key)),
  )
  const openMode = (selected: string | null): void => {
    const selectedMode = offeredModes.find(({ key }) => key === selected)
    if (selectedMode && selectedMode !== mode)
      void navigate({
        to: `/${encodeURIComponent(regionId)}/${pages[selectedMode.key].path}`,
        search: getSharedSearch(mode.key, selectedMode.key, search),
      } as never)
  }
  return (
    <Select
      label={t('evaluation:mode')}
      allowDeselect={false}
      value={mode.key}
      data={offeredModes.map(({ key }) => ({ value: key, label: t(pageTitle(key)) }))}
      onChange={openMode}
    />
  )
}
