import { Anchor, Text, Title } from '@mantine/core'
import { IconCoin, IconParking, IconRoute, IconScale, IconWorldOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { PublicRegion } from '#contract/regions.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { PublicDataLinks } from '#web/shell/public-data-links.tsx'
import { publicAddress } from '#web/shell/public-address.ts'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { PublicPage } from '#web/shell/public-page.tsx'
import styles from './public-pages.module.css'

/** Links to everything that a region has published; no sign-in is required. */
export function PublicPagesScreen() {
  const { t } = useTranslation()
  return (
    <PublicPage title={t('shell:pages.publicPages')}>
      {(region) => (
        <PublicFrame title={region.text}>
          <ReadingPage>
            <PublicPages region={region} />
          </ReadingPage>
        </PublicFrame>
      )}
    </PublicPage>
  )
}

/** The list of the region's published pages. */
function PublicPages({ region }: { region: PublicRegion }) {
  const { t } = useTranslation()
  const pages = [
    { page: 'policies', isPublic: region.has_published_policies, Icon: IconScale },
    { page: 'routes', isPublic: region.has_public_routes, Icon: IconRoute },
    { page: 'regulations', isPublic: region.has_public_regulations, Icon: IconParking },
    { page: 'rates', isPublic: region.has_public_rates, Icon: IconCoin },
  ] as const
  const publicPages = pages.filter(({ isPublic }) => isPublic)
  const name = region.text
  if (!publicPages.length)
    return (
      <EmptyState order={1} title={t('regions:public.none.title')} icon={<IconWorldOff />}>
        {t('regions:public.none.text', { region: name })}
      </EmptyState>
    )
  return (
    <>
      <PageHeader title={t('regions:public.title', { region: name })} context={t('regions:public.context')} />
      <ul className={styles['pages']}>
        {publicPages.map(({ page, Icon }) => (
          <li key={page} className={styles['page']}>
            <Icon size={24} aria-hidden="true" />
            <div>
              <Title order={2} size="h3">
                <Anchor inherit component={Link} to={publicAddress(region.regionId, page)}>
                  {t(`regions:public.${page}.name`)}
                </Anchor>
              </Title>
              <Text size="sm" c="dimmed">
                {t(`regions:public.${page}.text`, { region: name })}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      {region.has_published_policies ? (
        <section className={styles['data']}>
          <Title order={2} size="h3">
            {t('policies:public.data.title')}
          </Title>
          <PublicDataLinks regionId={region.regionId} />
        </section>
      ) : null}
    </>
  )
}
