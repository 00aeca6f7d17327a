import { useTranslation } from 'react-i18next'
import { SideDrawer } from '#web/kit/side-drawer.tsx'
import { areasOf } from './areas.ts'
import { PageLinks } from './page-links.tsx'
import { ProductLinks } from './product-links.tsx'
import { useChosenRegion } from './region.tsx'
import { shownAreas } from './shown-areas.ts'
import { usePlace } from './use-place.ts'
import { useProducts } from './use-products.ts'
import { useStanding } from './use-standing.ts'
import styles from './shelf.module.css'

/** What the shelf holds, for screens too narrow for it. */
export function SmallMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useChosenRegion()
  const standing = useStanding()
  const { product, page } = usePlace()
  const { products } = useProducts()
  return (
    <SideDrawer isOpen={opened} onClose={onClose} size={280} position="left" title={t('shell:menu')}>
      {standing && regionId
        ? shownAreas(areasOf[product], standing).map((area) => (
            <section key={area.key} aria-label={t(`shell:areaNames.${area.key}`)}>
              {area.drawer ? <p className={styles['group']}>{t(`shell:areaNames.${area.key}`)}</p> : null}
              <PageLinks entries={area.entries} regionId={regionId} here={page} onFollow={onClose} />
            </section>
          ))
        : null}
      {products.length > 1 ? (
        <section aria-label={t('shell:switch.product')}>
          <p className={styles['group']}>{t('shell:switch.product')}</p>
          <ProductLinks onFollow={onClose} />
        </section>
      ) : null}
    </SideDrawer>
  )
}
