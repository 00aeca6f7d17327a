import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SideDrawer } from '#web/kit/side-drawer.tsx'
import { allowedPages, areas, placeOf } from './areas.ts'
import { useMe } from './me.tsx'
import { PageLinks } from './page-links.tsx'
import { useChosenRegion } from './region.tsx'
import styles from './shelf.module.css'

/** What the shelf holds, for screens too narrow for it. */
export function SmallMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const { answer } = useChosenRegion()
  const place = placeOf(useLocation({ select: (location) => location.pathname }))
  const region = answer.data
  return (
    <SideDrawer isOpen={opened} onClose={onClose} size={280} position="left" title={t('shell:menu')}>
      {region
        ? areas.filter((area) => !area.permission || can(area.permission)).map((area) => (
            <section key={area.key} aria-label={t(`shell:areaNames.${area.key}`)}>
              {area.drawer ? <p className={styles['group']}>{t(`shell:areaNames.${area.key}`)}</p> : null}
              <PageLinks pages={allowedPages(area, region)} regionId={region.regionId} here={place?.page} onFollow={onClose} />
            </section>
          ))
        : null}
    </SideDrawer>
  )
}
