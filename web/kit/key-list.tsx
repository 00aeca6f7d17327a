import { Kbd } from '@mantine/core'
import styles from './key-list.module.css'

/** Shortcuts with what they do. */
export function KeyList({ keys }: { keys: readonly (readonly [keys: readonly string[], text: string])[] }) {
  return (
    <dl className={styles['keys']}>
      {keys.map(([combination, text]) => (
        <div key={text}>
          <dt>
            {combination.map((key) => (
              <Kbd key={key} mr={4}>
                {key}
              </Kbd>
            ))}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
