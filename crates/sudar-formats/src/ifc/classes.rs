//! The names of products as the standard writes them.

/// All subtypes of `IfcProduct` in IFC 2x3, 4 and 4.3, without `Ifc`.
const PRODUCTS: &str = "\
    Actuator AirTerminal AirTerminalBox AirToAirHeatRecovery Alarm Alignment AlignmentCant AlignmentHorizontal \
    AlignmentSegment AlignmentVertical Annotation AudioVisualAppliance Beam BeamStandardCase Bearing Boiler \
    Borehole Bridge BridgePart Building BuildingElement BuildingElementComponent BuildingElementPart \
    BuildingElementProxy BuildingStorey BuiltElement Burner CableCarrierFitting CableCarrierSegment CableFitting \
    CableSegment CaissonFoundation ChamferEdgeFeature Chiller Chimney CivilElement Coil Column ColumnStandardCase \
    CommunicationsAppliance Compressor Condenser Controller ConveyorSegment CooledBeam CoolingTower Course \
    Covering CurtainWall Damper DeepFoundation DiscreteAccessory DistributionBoard DistributionChamberElement \
    DistributionControlElement DistributionElement DistributionFlowElement DistributionPort Door DoorStandardCase \
    DuctFitting DuctSegment DuctSilencer EarthworksCut EarthworksElement EarthworksFill EdgeFeature \
    ElectricAppliance ElectricDistributionBoard ElectricDistributionPoint ElectricFlowStorageDevice \
    ElectricFlowTreatmentDevice ElectricGenerator ElectricMotor ElectricTimeControl ElectricalElement Element \
    ElementAssembly ElementComponent EnergyConversionDevice Engine EquipmentElement EvaporativeCooler Evaporator \
    ExternalSpatialElement ExternalSpatialStructureElement Facility FacilityPart FacilityPartCommon Fan Fastener \
    FeatureElement FeatureElementAddition FeatureElementSubtraction Filter FireSuppressionTerminal FlowController \
    FlowFitting FlowInstrument FlowMeter FlowMovingDevice FlowSegment FlowStorageDevice FlowTerminal \
    FlowTreatmentDevice Footing FurnishingElement Furniture GeographicElement Geomodel Geoslice \
    GeotechnicalAssembly GeotechnicalElement GeotechnicalStratum Grid HeatExchanger Humidifier \
    ImpactProtectionDevice Interceptor JunctionBox Kerb Lamp LightFixture LinearElement LinearPositioningElement \
    LiquidTerminal MarineFacility MarinePart MechanicalFastener MedicalDevice Member MemberStandardCase \
    MobileTelecommunicationsAppliance MooringDevice MotorConnection NavigationElement OpeningElement \
    OpeningStandardCase Outlet Pavement Pile PipeFitting PipeSegment Plate PlateStandardCase Port \
    PositioningElement Product ProjectionElement ProtectiveDevice ProtectiveDeviceTrippingUnit Proxy Pump Rail \
    Railing Railway RailwayPart Ramp RampFlight Referent ReinforcedSoil ReinforcingBar ReinforcingElement \
    ReinforcingMesh Road RoadPart Roof RoundedEdgeFeature SanitaryTerminal Sensor ShadingDevice Sign Signal Site \
    Slab SlabElementedCase SlabStandardCase SolarDevice Space SpaceHeater SpatialElement SpatialStructureElement \
    SpatialZone StackTerminal Stair StairFlight StructuralAction StructuralActivity StructuralConnection \
    StructuralCurveAction StructuralCurveConnection StructuralCurveMember StructuralCurveMemberVarying \
    StructuralCurveReaction StructuralItem StructuralLinearAction StructuralLinearActionVarying StructuralMember \
    StructuralPlanarAction StructuralPlanarActionVarying StructuralPointAction StructuralPointConnection \
    StructuralPointReaction StructuralReaction StructuralSurfaceAction StructuralSurfaceConnection \
    StructuralSurfaceMember StructuralSurfaceMemberVarying StructuralSurfaceReaction SurfaceFeature \
    SwitchingDevice SystemFurnitureElement Tank Tendon TendonAnchor TendonConduit TrackElement Transformer \
    TransportElement TransportationDevice TubeBundle UnitaryControlElement UnitaryEquipment Valve Vehicle \
    VibrationDamper VibrationIsolator VirtualElement VoidingFeature Wall WallElementedCase WallStandardCase \
    WasteTerminal Window WindowStandardCase";

/// A class as the standard writes it, `IfcWall`; one that it does not know with one capital letter.
pub(super) fn written(class: &str) -> String {
    let bare = class.get(3..).unwrap_or_default();
    match PRODUCTS.split_ascii_whitespace().find(|name| name.eq_ignore_ascii_case(bare)) {
        Some(name) => format!("Ifc{name}"),
        None => {
            let (first, rest) = bare.split_at_checked(1).unwrap_or_default();
            format!("Ifc{}{}", first.to_ascii_uppercase(), rest.to_ascii_lowercase())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn classes_have_their_capitals() {
        assert_eq!(written("IFCWALLSTANDARDCASE"), "IfcWallStandardCase");
        assert_eq!(written("IfcPipeSegment"), "IfcPipeSegment");
        assert_eq!(written("IFCNEWTHING"), "IfcNewthing");
        assert_eq!((&*written("X"), &*written("é")), ("Ifc", "Ifc"));
    }
}
