import { Skeleton } from '@mantine/core'
import { useTexts } from '../../../lib/texts.ts'
import helpClasses from '../helps.module.css'
import { texts } from '../texts.ts'
import { type GuideId, guideIds } from './guide-ids.ts'
import { GuidePicture } from './guide-pictures.tsx'
import { useGuides } from './guide-texts.ts'
import classes from './guides.module.css'

/** The guides that come with Recado, as cards. */
export function GuideCards({ onOpen }: { onOpen: (id: GuideId) => void }) {
  const words = useTexts(texts)
  const guides = useGuides()
  return (
    <>
      <h2 className={classes.head}>{words.guides}</h2>
      <ul className={helpClasses.grid}>
        {guideIds.map((id) => (
          <li key={id} className={helpClasses.card}>
            <button type="button" className={helpClasses.inside} onClick={() => onOpen(id)}>
              <GuidePicture id={id} />
              <span className={helpClasses.words}>
                {guides ? (
                  <>
                    <span className={helpClasses.title}>{guides[id].title}</span>
                    <span className={helpClasses.line}>{guides[id].about}</span>
                  </>
                ) : (
                  <Skeleton height={13} width="70%" />
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
