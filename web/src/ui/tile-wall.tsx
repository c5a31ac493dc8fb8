import classes from './tile-wall.module.css'

const rows = ['213341', '123314', '441224', '442142', '233143', '321334', '421422', '244122']
const tiles = rows.flatMap((colours, row) =>
  [...colours].map((colour, column) => ({ key: `${row}-${column}`, row, column, colour })),
)
/** Column and row of the single yellow tile, which stands for a waiting message. */
const highlightedTile = { column: 3, row: 3 }

const side = 120
const largeBubblePath = 'M0 114V57A57 57 0 0 1 114 57A57 57 0 0 1 57 114Z'
const smallBubblePath = 'M0 52.2V26.1A26.1 26.1 0 0 1 52.2 26.1A26.1 26.1 0 0 1 26.1 52.2Z'

/**
 * A wall of tiles made of message bubbles, in groups of four; their sharp corners alternate between outwards and
 * inwards.
 */
export function TileWall() {
  return (
    <svg className={classes.root} viewBox="0 0 720 960" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {tiles.map((tile) => (
        <Tile key={tile.key} row={tile.row} column={tile.column} colour={tile.colour} />
      ))}
    </svg>
  )
}

function Tile({ row, column, colour }: { row: number; column: number; colour: string }) {
  const x = (column + 0.5) * side
  const y = (row + 0.5) * side
  if (column === highlightedTile.column && row === highlightedTile.row) return <HighlightedTile x={x} y={y} />
  const hollow = (Math.floor(row / 2) + Math.floor(column / 2)) % 2 === 0
  const turns = hollow ? [270, 0, 180, 90] : [90, 180, 0, 270]
  const turn = turns[(row % 2) * 2 + (column % 2)]
  return (
    <>
      <path
        transform={`translate(${x} ${y}) rotate(${turn}) translate(-57 -57)`}
        d={largeBubblePath}
        fill={`var(--t${colour})`}
      />
      {hollow && (
        <path
          transform={`translate(${x + 1.5} ${y + 1.5}) rotate(${turn}) translate(-26.1 -26.1)`}
          d={smallBubblePath}
          fill="var(--t0)"
        />
      )}
    </>
  )
}

function HighlightedTile({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x - 57} ${y - 57})`}>
      <path d={largeBubblePath} fill="var(--tn)" />
      <path d="M31 47h52M31 67h34" stroke="var(--tni)" strokeWidth="7" strokeLinecap="round" />
    </g>
  )
}
