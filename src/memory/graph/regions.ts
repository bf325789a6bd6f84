/** Whether a key is that of a country, a part of one or a continent: who lives in Oslo may live in Norway too. */
export function isRegion(key: string): boolean {
  return REGIONS.has(key)
}

/** Names in the form of `entityKey`; not those that are better known as towns or first names. */
const REGIONS: ReadonlySet<string> = new Set(
  [
    'afghanistan,albania,algeria,angola,argentina,armenia,australia,austria,azerbaijan,bahrain,bangladesh,belarus',
    'belgium,belize,benin,bhutan,bolivia,bosnia,botswana,brazil,bulgaria,burkina faso,burundi,cambodia,cameroon,canada',
    'chile,china,colombia,congo,costa rica,croatia,cuba,cyprus,czechia,czech republic,denmark,dominican republic,ecuador',
    'egypt,el salvador,england,eritrea,estonia,ethiopia,fiji,finland,france,gabon,gambia,germany,ghana,greece,greenland',
    'guatemala,guinea,guyana,haiti,honduras,hungary,iceland,india,indonesia,iran,iraq,ireland,israel,italy,ivory coast',
    'jamaica,japan,kazakhstan,kenya,kosovo,kuwait,kyrgyzstan,laos,latvia,lebanon,liberia,libya,lithuania,madagascar',
    'malawi,malaysia,mali,malta,mauritius,mexico,moldova,mongolia,montenegro,morocco,mozambique,myanmar,namibia,nepal',
    'netherlands,new zealand,nicaragua,niger,nigeria,north korea,north macedonia,northern ireland,norway,oman,pakistan',
    'palestine,papua new guinea,paraguay,peru,philippines,poland,portugal,qatar,romania,russia,rwanda,saudi arabia',
    'scotland,senegal,serbia,sierra leone,slovakia,slovenia,somalia,south africa,south korea,south sudan,spain,sri lanka',
    'sudan,suriname,sweden,switzerland,syria,taiwan,tajikistan,tanzania,thailand,togo,trinidad,tunisia,turkey,türkiye',
    'turkmenistan,uganda,uk,ukraine,united arab emirates,united kingdom,united states,united states of america,uruguay',
    'us,usa,u.s,u.s.a,uzbekistan,venezuela,vietnam,wales,yemen,zambia,zimbabwe',
    'africa,asia,europe,north america,south america,latin america,central america,middle east,scandinavia',
    'alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,hawaii,idaho,illinois,indiana,iowa',
    'kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,montana,nebraska',
    'nevada,new hampshire,new jersey,new mexico,north carolina,north dakota,ohio,oklahoma,oregon,pennsylvania',
    'rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,west virginia,wisconsin,wyoming',
    'bavaria,saxony,tuscany,sicily,provence,normandy,brittany,catalonia,andalusia,ontario,british columbia,alberta'
  ].flatMap((line) => line.split(','))
)
