import { useTranslation } from 'react-i18next'
import { SideDrawer } from '#web/kit/side-drawer.tsx'
import { areasByProduct } from './areas.ts'
import { PageLinks } from './page-links.tsx'
import { ProductLinks } from './product-links.tsx'
import { useRegionContext } from './region.tsx'
import { visibleAreas } from './visible-areas.ts'
import { useCurrentPage } from './use-current-page.ts'
import { useProducts } from './use-products.ts'
import { useAccessContext } from './use-access-context.ts'
import styles from './shelf.module.css'

/** The content of the shelf, for screens that are too narrow for it. */
export function SmallMenu({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegionContext()
  const access = useAccessContext()
  const { product, page } = useCurrentPage()
  const { products } = useProducts()
  return (
    <SideDrawer isOpen={isOpen} onClose={onClose} size={280} position="left" title={t('shell:menu')}>
      {access && regionId
        ? visibleAreas(areasByProduct[product], access).map((area) => (
            <section key={area.key} aria-label={t(`shell:areaNames.${area.key}`)}>
              {area.hasDrawer ? <p className={styles['group']}>{t(`shell:areaNames.${area.key}`)}</p> : null}
              <PageLinks entries={area.entries} regionId={regionId} currentPage={page} onNavigate={onClose} />
            </section>
          ))
        : null}
      {products.length > 1 ? (
        <section aria-label={t('shell:switch.product')}>
          <p className={styles['group']}>{t('shell:switch.product')}</p>
          <ProductLinks onNavigate={onClose} />
        </section>
      ) : null}
    </SideDrawer>
  )
}
