import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Note } from '#contract/geography.ts'
import styles from './geography.module.css'

interface Props {
  title: string
  notes: readonly Note[]
}

/** What was repaired in a file or left out of it. */
export function NoteList({ title, notes }: Props) {
  const { t } = useTranslation()
  if (notes.length === 0) return null
  return (
    <section>
      <Text fw={600}>{title}</Text>
      <ul className={styles['notes']} tabIndex={0} aria-label={title}>
        {notes.map((note) => (
          <li key={`${note.position}:${note.code}:${note.text}`}>
            {note.position === null ? null : `${t('geography:preview.feature', { position: note.position })}: `}
            {note.text}
          </li>
        ))}
      </ul>
    </section>
  )
}
