import { useClickOutside, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AreaLink } from './area-link.tsx'
import { allowedPages, areas, placeOf } from './areas.ts'
import { useMe } from './me.tsx'
import { PageLinks } from './page-links.tsx'
import { useChosenRegion } from './region.tsx'
import styles from './shelf.module.css'

/** The areas at the left, and the drawer of the area that was opened; on wide screens the drawer stays. */
export function Shelf() {
  const { t } = useTranslation()
  const { can } = useMe()
  const { answer } = useChosenRegion()
  const place = placeOf(useLocation({ select: (location) => location.pathname }))
  const [openKey, setOpenKey] = useState<string | null>(null)
  const isWide = useMediaQuery('(min-width: 1440px)')
  const close = () => setOpenKey(null)
  const outside = useClickOutside(() => !isWide && close())
  useHotkeys([['Escape', close]])

  const region = answer.data
  if (!region) return null
  const shown = areas.filter((area) => !area.permission || can(area.permission))
  const open = shown.find((area) => area.key === openKey && area.drawer)

  return (
    <nav ref={outside} className={styles['shelf']} aria-label={t('shell:areas.label')}>
      <div className={styles['areas']}>
        {shown.map((area) => (
          <AreaLink
            key={area.key} area={area} regionId={region.regionId} isHere={place?.area === area} isOpen={open === area}
            onOpen={() => setOpenKey(open === area ? null : area.key)} onLeave={close}
          />
        ))}
      </div>
      {open ? (
        <div className={styles['drawer']}>
          <h2 className={styles['title']}>{t(`shell:areaNames.${open.key}`)}</h2>
          <PageLinks pages={allowedPages(open, region)} regionId={region.regionId} here={place?.page} onFollow={() => !isWide && close()} />
        </div>
      ) : null}
    </nav>
  )
}
