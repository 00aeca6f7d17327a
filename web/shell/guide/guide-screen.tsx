import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { storedLanguage } from '#web/i18n/start-i18n.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { guideTopics, loadGuide } from './guide.ts'
import styles from './guide.module.css'

const placeholder = (
  <Stack gap="md">
    <Skeleton height={28} width={240} />
    <Skeleton height={60} />
    <Skeleton height={400} />
  </Stack>
)

/** The user guide: one page per area, with links to the others. */
export function GuideScreen() {
  const { t, i18n } = useTranslation()
  const { topic: requestedTopic } = useParams({ strict: false }) as { topic?: string }
  const topic = guideTopics.find((guideTopic) => guideTopic === requestedTopic) ?? guideTopics[0]
  const guide = useQuery({
    queryKey: ['guide', topic, i18n.language],
    queryFn: () => loadGuide(topic, storedLanguage()),
    staleTime: Infinity,
  })
  return (
    <ReadingPage>
      <div className={styles['page']}>
        <nav className={styles['topics']} aria-label={t('shell:guide.topics')}>
          <h2 className={styles['title']}>{t('shell:guide.title')}</h2>
          <ul>
            {guideTopics.map((guideTopic) => (
              <li key={guideTopic}>
                <Link
                  to={`/help/${guideTopic}`}
                  className={styles['topic']}
                  aria-current={guideTopic === topic ? 'page' : undefined}
                >
                  {t(`shell:guide.topic.${guideTopic}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Loaded query={guide} skeleton={placeholder}>
          {/* The HTML is safe, because the guide is part of the app. */}
          {(html) => <article className={styles['text']} dangerouslySetInnerHTML={{ __html: html }} />}
        </Loaded>
      </div>
    </ReadingPage>
  )
}
