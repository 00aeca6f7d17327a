import styles from './badge.module.css'

/** Color of a badge. */
export type Tone = 'neutral' | 'amber' | 'red' | 'green' | 'teal'

/** A state in one or two words. */
export function Badge({ tone, text }: { tone: Tone; text: string }) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {text}
    </span>
  )
}
