import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Note } from '#contract/boundary-files.ts'
import styles from './geography.module.css'

interface Props {
  title: string
  notes: readonly Note[]
}

/** Notes of the file reader begin with the format's own term for a feature, such as "Placemark 3 …". */
const startsWithPosition = ({ position, text }: Note): boolean =>
  new RegExp(`^\\p{L}+ ${position}\\b`, 'u').test(text)

/** What was repaired in, or left out of, a file. */
export function NoteList({ title, notes }: Props) {
  const { t } = useTranslation()
  if (notes.length === 0) return null
  return (
    <section>
      <Text fw={600}>{title}</Text>
      <ul className={styles['notes']} tabIndex={0} aria-label={title}>
        {notes.map((note) => (
          <li key={`${note.position}:${note.code}:${note.text}`}>
            {note.position === null || startsWithPosition(note)
              ? null
              : `${t(note.name ? 'geography:preview.namedFeature' : 'geography:preview.feature', { position: note.position, name: note.name })}: `}
            {note.text}
          </li>
        ))}
      </ul>
    </section>
  )
}
