/**
 * English verbs whose past tense or participle is not formed with -ed: base, past, and the participle if it differs.
 */
export const IRREGULAR_VERBS = `
arise arose arisen
awake awoke awoken
be was/were been
bear bore born/borne
beat beat beaten
become became become
begin began begun
bend bent
bet bet
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
broadcast broadcast
build built
burn burnt
burst burst
buy bought
cast cast
catch caught
choose chose chosen
cling clung
come came come
cost cost
creep crept
cut cut
deal dealt
dig dug
do did done
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forecast forecast
foresee foresaw foreseen
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got got/gotten
give gave given
go went gone
grind ground
grow grew grown
hang hung
have had
hear heard
hide hid hidden
hit hit
hold held
hurt hurt
keep kept
kneel knelt
know knew known
lay laid
lead led
leap leapt
learn learnt
leave left
lend lent
let let
lie lay lain
light lit
lose lost
make made
mean meant
meet met
mistake mistook mistaken
overcome overcame overcome
overtake overtook overtaken
pay paid
prove proved proven
put put
quit quit
read read
rebuild rebuilt
ride rode ridden
ring rang rung
rise rose risen
run ran run
say said
see saw seen
seek sought
sell sold
send sent
set set
sew sewed sewn
shake shook shaken
shine shone
shoot shot
show showed shown
shrink shrank shrunk
shut shut
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
speed sped
spend spent
spin spun
split split
spread spread
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
strike struck struck/stricken
strive strove striven
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
undergo underwent undergone
understand understood
undertake undertook undertaken
upset upset
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
withstand withstood
write wrote written
`
