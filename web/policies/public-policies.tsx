import { Text, Title } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getPublicPolicies } from '#contract/public-policies.ts'
import { useAnswer } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatMoment } from '#web/kit/format.ts'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { NotFound } from '#web/shell/not-found.tsx'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { PublicDataLinks } from './public-data-links.tsx'
import { PublicPolicyList } from './public-policy-list.tsx'
import { PublicPolicyMap } from './public-policy-map.tsx'
import styles from './public.module.css'

interface Props {
  regionId: string
  /** Now. */
  at: number
}

/** The policies that a city has published, in plain words, and where they hold. */
export function PublicPolicies({ regionId, at }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const answer = useAnswer(getPublicPolicies, { params: { region_id: regionId } })
  const about = answer.data
  const shown = useMemo(() => {
    const { policies = [], geographies = [] } = about ?? {}
    // Together: what holds or will. What is over is shown when it is asked for; so is the whole region where there is anything else, as it would cover that.
    const together = policies.filter(({ effective_until: until }) => until === null || Date.parse(until) > at)
    const ofPlaces = together.filter(({ is_region_wide: isWhole, geography_ids: places }) => !isWhole && places.length > 0)
    const meant = chosen !== null ? policies.filter(({ policy_uuid: id }) => id === chosen) : ofPlaces.length ? ofPlaces : together
    const ids = new Set(meant.flatMap(({ geography_ids: places }) => places))
    return geographies.filter(({ geography_id: id }) => ids.has(id))
  }, [about, chosen, at])
  const title = about ? t('policies:public.heading', { region: about.text }) : t('shell:pages.publicPolicies')
  if (!about || about.policies.length === 0)
    return (
      <PublicFrame title={title}>
        <ReadingPage>
          {answer.isLoading ? <LoadingMessage isLoading /> : null}
          {about ? <EmptyState order={1} title={t('policies:public.none.title')} icon={<IconFileOff />} action={<PublicDataLinks regionId={regionId} />}>{t('policies:public.none.in', { region: about.text })}</EmptyState> : null}
          {answer.error?.status === 404 ? <NotFound /> : null}
          {answer.error && answer.error.status !== 404 ? <FailedState error={answer.error} onRetry={() => void answer.refetch()} /> : null}
        </ReadingPage>
      </PublicFrame>
    )
  return (
    <PublicFrame title={about.text}>
      <div className={styles['page']}>
        <section className={styles['list']} aria-label={t('policies:public.list')}>
          <Title order={1}>{title}</Title>
          <Text size="sm" c="dimmed">{t('policies:public.text')} {about.last_updated ? t('policies:public.updated', { when: formatMoment(about.last_updated, about.timezone) }) : ''}</Text>
          <PublicDataLinks regionId={regionId} />
          <PublicPolicyList about={about} at={at} shown={chosen} onShow={setChosen} />
        </section>
        <div className={styles['map']}><PublicPolicyMap regionId={regionId} region={about} geographies={shown} /></div>
      </div>
    </PublicFrame>
  )
}
